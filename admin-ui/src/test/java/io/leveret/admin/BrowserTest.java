package io.leveret.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The pages in a real browser. Leaves its screenshots in target/screenshots. */
class BrowserTest extends AdminTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    private static final Dimension WIDE = new Dimension(1400, 1000);
    private static final Dimension NARROW = new Dimension(390, 900);

    private static ChromeDriver browser;

    @BeforeAll
    static void open() throws IOException {
        assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "no " + CHROMIUM + " and " + DRIVER + ": the pages are not tried in a browser");
        Files.createDirectories(SCREENSHOTS);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toString());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
    }

    @AfterAll
    static void quit() {
        if (browser != null) {
            browser.quit();
        }
    }

    @BeforeEach
    void logIn() {
        browser.manage().window().setSize(WIDE);
        browser.manage().deleteAllCookies();
        browser.get(url("/login"));
        browser.findElement(By.id("u")).sendKeys("guest");
        browser.findElement(By.id("p")).sendKeys("pw");
        picture("login");
        browser.findElement(By.cssSelector("button.go")).click();
        await().until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("nav.tabs")));
    }

    @Test
    void aPolicyIsAddedWithOneClickAPreviewAndAConfirmation() {
        browser.findElement(By.linkText("Admin")).click();
        await().until(ExpectedConditions.titleIs("Policies · Leveret"));
        button("Two copies").click();
        await().until(ExpectedConditions.presenceOfElementLocated(By.id("e-v3")));
        browser.findElement(By.id("e-name")).sendKeys("two-copies");
        browser.findElement(By.id("e-pat")).sendKeys("^orders");
        // The preview follows the form by itself.
        await().until(ExpectedConditions.textToBePresentInElementLocated(By.id("policy-preview"), "leader moves"));
        picture("policies-preview");
        button("Save policy").click();
        // Only the page with the confirmation has this button: after it nothing is on its way any more.
        WebElement confirm =
                await().until(ExpectedConditions.elementToBeClickable(By.cssSelector("button[value=confirm]")));
        assertThat(browser.findElement(By.id("policy-rows")).getText()).contains("ha-all");
        assertThat(confirm.getText()).isEqualTo("Save, move 1 leader, copy 2.1 GB, drop 1 mirror");
        assertThat(NODE.changes()).noneMatch(change -> change.method().equals("PUT"));
        picture("policies-confirm");
        confirm.click();
        await().until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(".banner.ok"), "two-copies"));
        assertThat(browser.findElement(By.id("policy-rows")).getText())
                .contains("two-copies")
                .contains("ha-mode: exactly")
                .contains("ha-params: 2");
        picture("policies-saved");
        complainsOfNothing();
    }

    @Test
    void aRefusedFormKeepsWhatWasTyped() {
        browser.get(url("/policies"));
        browser.findElement(By.id("e-name")).sendKeys("bad");
        browser.findElement(By.id("e-pat")).sendKeys("^(orders");
        button("HA mode").click();
        await().until(ExpectedConditions.presenceOfElementLocated(By.id("e-v2")));
        browser.findElement(By.id("e-v1")).sendKeys("most");
        button("Save policy").click();
        await().until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(".banner.bad"), "2 things"));
        assertThat(browser.findElement(By.id("e-pat")).getDomProperty("value")).isEqualTo("^(orders");
        assertThat(browser.findElement(By.id("e-pat")).getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        assertThat(browser.findElement(By.id("e-v1")).getDomAttribute("aria-invalid"))
                .isEqualTo("true");
        picture("policies-refused");
    }

    @Test
    void aLimitIsSetClearedAndRemembered() {
        NODE.on("PUT /vhost-limits/v1/max-queues", request -> FakeNode.empty(204));
        NODE.on("DELETE /vhost-limits/%2F/max-queues", request -> FakeNode.empty(204));
        browser.get(url("/limits"));
        new Select(browser.findElement(By.id("v-o"))).selectByValue("v1");
        new Select(browser.findElement(By.id("v-l"))).selectByVisibleText("max-queues");
        browser.findElement(By.id("v-v")).sendKeys("many");
        button("Set limit of virtual host").click();
        // The browser itself refuses what is no number: nothing was sent.
        assertThat(browser.findElements(By.cssSelector("#v-v:invalid"))).hasSize(1);
        browser.findElement(By.id("v-v")).clear();
        browser.findElement(By.id("v-v")).sendKeys("12");
        button("Set limit of virtual host").click();
        done("The limit max-queues of virtual host v1 is 12.");
        picture("limits-set");
        browser.findElement(By.xpath("//*[@id='vhost-limits']//tr[contains(., 'max-queues')]//button"))
                .click();
        done("The limit max-queues of virtual host / is cleared.");
        assertThat(NODE.changes())
                .extracting(change -> change.method() + " " + change.target())
                .containsExactly("PUT /vhost-limits/v1/max-queues", "DELETE /vhost-limits/%2F/max-queues");
        browser.get(url("/history"));
        await().until(ExpectedConditions.titleIs("History · Leveret"));
        assertThat(browser.findElement(By.tagName("main")).getText())
                .contains("clear max-queues of")
                .contains("set max-queues of");
        complainsOfNothing();
    }

    @Test
    void anExchangeIsBoundAndPublishedTo() {
        NODE.on(
                "POST /bindings/%2F/e/amq.topic/q/orders.old",
                request -> new FakeNode.Answer(201, "", Map.of("Location", "orders.old/k")));
        NODE.on(
                "POST /exchanges/%2F/amq.topic/publish",
                request -> FakeNode.json(200, Map.of("routed", true, "confirmed", true)));
        browser.get(url("/exchanges"));
        browser.findElement(By.linkText("amq.topic")).click();
        await().until(ExpectedConditions.titleIs("amq.topic · Leveret"));
        browser.findElement(By.id("b-d")).sendKeys("orders.old");
        browser.findElement(By.id("b-a")).sendKeys("x = 5");
        button("Bind").click();
        done("Bound to orders.old.");
        browser.findElement(By.id("p-r")).sendKeys("orders.1");
        browser.findElement(By.id("p-p")).sendKeys("hello");
        button("Publish").click();
        done("Published, and confirmed by every queue that it went to.");
        assertThat(NODE.changes())
                .extracting(FakeNode.Received::body)
                .containsExactly(
                        "{\"routing_key\":\"\",\"arguments\":{\"x\":5}}",
                        "{\"properties\":{\"delivery_mode\":2},\"routing_key\":\"orders.1\",\"payload\":\"hello\","
                                + "\"payload_encoding\":\"string\"}");
        complainsOfNothing();
    }

    /** Waits for the page that says so: only then is the answer to the click there. */
    private static void done(String sentence) {
        await().until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(".banner.ok"), sentence));
    }

    @Test
    void everyPageShowsAndNothingIsBlocked() {
        for (String page : List.of(
                "",
                "queues",
                "queues/%2F/orders.old",
                "connections",
                "connections/c1",
                "channels",
                "channels/c1%20%281%29",
                "exchanges",
                "exchanges/%2F/amq.topic",
                "nodes/rabbit1@localhost",
                "limits",
                "cluster",
                "users",
                "vhosts",
                "policies",
                "operator-policies",
                "definitions",
                "history")) {
            browser.get(url("/" + page));
            assertThat(browser.findElements(By.tagName("h1"))).as(page).hasSize(1);
            assertThat(browser.findElements(By.cssSelector("nav.tabs")))
                    .as(page)
                    .hasSize(1);
            picture("page-" + (page.isEmpty() ? "overview" : page.replaceAll("[^a-z]+", "-")));
        }
        browser.manage().window().setSize(NARROW);
        for (String page :
                List.of("", "queues", "policies", "limits", "connections/c1", "exchanges/%2F/amq.topic", "cluster")) {
            browser.get(url("/" + page));
            Object width = browser.executeScript("return document.documentElement.scrollWidth");
            assertThat(((Number) width).intValue()).as(page).isLessThanOrEqualTo(500);
            picture("narrow-" + (page.isEmpty() ? "overview" : page.replaceAll("[^a-z]+", "-")));
        }
        complainsOfNothing();
    }

    /** No script error, no style or script that the content policy stops. */
    private static void complainsOfNothing() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .noneMatch(message -> message.contains("Content Security Policy") || message.contains("Uncaught"));
    }

    private static WebElement button(String text) {
        return browser.findElement(By.xpath("//button[normalize-space()='" + text + "']"));
    }

    private static WebDriverWait await() {
        return new WebDriverWait(browser, Duration.ofSeconds(40));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    private static void picture(String name) {
        Object height = browser.executeScript("return document.documentElement.scrollHeight");
        Dimension size = browser.manage().window().getSize();
        browser.manage()
                .window()
                .setSize(new Dimension(size.width, Math.min(((Number) height).intValue() + 150, 4000)));
        try {
            Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        } finally {
            browser.manage().window().setSize(size);
        }
    }
}
