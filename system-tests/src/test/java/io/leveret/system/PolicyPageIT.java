package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.FluentWait;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A person mirrors queues through the page, in a real browser, on a real cluster. Leaves its screenshots in
 * {@code target/screenshots}.
 */
class PolicyPageIT {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");

    @Test
    void aPolicyFromThePageMirrorsAQueueAndThePagesShowIt() throws Exception {
        assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "no " + CHROMIUM + " and " + DRIVER + ": the pages are not tried in a browser");
        try (Cluster cluster = Cluster.start("page", 3)) {
            try (Connection connection = cluster.connect(1)) {
                Channel channel = connection.createChannel();
                channel.queueDeclare("page.orders", true, false, false, Map.of());
                channel.confirmSelect();
                for (int i = 0; i < 200; i++) {
                    channel.basicPublish("", "page.orders", null, new byte[1_000]);
                }
                channel.waitForConfirmsOrDie(20_000);
            }
            ChromeDriver browser = open();
            try {
                new Visit(browser, cluster).mirrorThroughThePage();
            } finally {
                browser.quit();
            }
        }
    }

    private static ChromeDriver open() throws IOException {
        Files.createDirectories(SCREENSHOTS);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toString());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync");
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .withTimeout(Duration.ofSeconds(120))
                        .build(),
                options);
    }

    private record Visit(ChromeDriver browser, Cluster cluster) {
        void mirrorThroughThePage() throws Exception {
            browser.manage().window().setSize(new Dimension(1400, 1400));
            browser.get(cluster.adminUrl() + "/login");
            browser.findElement(By.id("u")).sendKeys("guest");
            browser.findElement(By.id("p")).sendKeys("guest");
            browser.findElement(By.cssSelector("button.go")).click();
            await().until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("nav.tabs")));
            browser.get(cluster.adminUrl() + "/policies");
            press("Mirror to all nodes");
            await().until(ExpectedConditions.presenceOfElementLocated(By.id("e-v2")));
            browser.findElement(By.id("e-name")).sendKeys("page-all");
            browser.findElement(By.id("e-pat")).sendKeys("^page\\.");
            await().until(ExpectedConditions.textToBePresentInElementLocated(
                    By.id("policy-preview"), "queue matches, it would apply to all"));
            picture("cluster-preview");
            press("Save policy");
            WebElement confirm =
                    await().until(ExpectedConditions.elementToBeClickable(By.cssSelector("button[value=confirm]")));
            picture("cluster-confirm");
            confirm.click();
            await().until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(".banner.ok"), "page-all"));
            cluster.awaitInSync("page.orders", 2);
            browser.get(cluster.adminUrl() + "/queues");
            By row = By.xpath("//main//tr[contains(., 'page.orders')]");
            await().until(ExpectedConditions.textToBe(
                    By.xpath("//main//tr[contains(., 'page.orders')]/td[@data-label='Safety']//span"), "Safe"));
            String shown = await().until(driver -> driver.findElement(row).getText());
            assertThat(shown)
                    .contains("page.orders")
                    .contains("page-all")
                    .contains("rabbit2")
                    .contains("rabbit3");
            picture("cluster-queues");
            await().until(driver -> {
                driver.get(cluster.adminUrl() + "/history");
                return driver.findElement(By.tagName("main")).getText().contains("page-all");
            });
        }

        private void press(String text) {
            By button = By.xpath("//button[normalize-space()='" + text + "']");
            await().until(driver -> {
                driver.findElement(button).click();
                return true;
            });
        }

        /** Pages renew their parts: an element that was found may be gone before it is read or pressed. */
        private FluentWait<WebDriver> await() {
            return new WebDriverWait(browser, Duration.ofSeconds(60)).ignoring(StaleElementReferenceException.class);
        }

        private void picture(String name) throws IOException {
            Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        }
    }
}
