package io.leveret.admin.definitions;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.Frame;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.NoAccessException;
import io.leveret.admin.web.Page;
import io.leveret.model.view.DefinitionsView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Admin &gt; Definitions: all that is declared, out into a file and in from one. */
@Page
class DefinitionsPages {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    DefinitionsPages(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/definitions")
    String page(@ModelAttribute("frame") Frame frame, Model model) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        model.addAttribute("vhosts", frame.vhosts());
        return "definitions/page";
    }

    @GetMapping(path = "/definitions/export", produces = "application/json")
    ResponseEntity<Object> export(@RequestParam(defaultValue = "") String of, @ModelAttribute("frame") Frame frame) {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        ControlPath path = of.isEmpty() ? ControlPath.of("definitions") : ControlPath.of("definitions", of);
        String name = (frame.clusterName() + (of.isEmpty() ? "" : "-" + of)).replaceAll("[^A-Za-z0-9._-]", "_");
        return ResponseEntity.ok()
                .header("Content-Disposition", "attachment; filename=" + name + ".json")
                .body(queries.get(path, DefinitionsView.class));
    }

    @PostMapping("/definitions")
    String load(
            @RequestParam MultipartFile file,
            @RequestParam(defaultValue = "") String into,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes flash)
            throws IOException {
        NoAccessException.unless(frame.user(), Tag.ADMINISTRATOR);
        ControlPath path = into.isEmpty() ? ControlPath.of("definitions") : ControlPath.of("definitions", into);
        try {
            Map<String, Object> definitions =
                    JsonBody.of(file.getBytes(), "the file is not JSON").fields();
            commands.apply(Mutation.act(
                    "import", new Mutation.Subject("definitions", into, "all", path), "POST", path, definitions));
            flash.addFlashAttribute(
                    "done", "Imported " + count(definitions) + " from " + file.getOriginalFilename() + ".");
        } catch (ApiProblem | BrokerRefusedException refused) {
            flash.addFlashAttribute("refused", String.valueOf(refused.getMessage()));
        }
        return "redirect:/definitions";
    }

    private static String count(Map<String, Object> definitions) {
        int objects = definitions.values().stream()
                .filter(value -> value instanceof List<?>)
                .mapToInt(value -> ((List<?>) value).size())
                .sum();
        return objects + (objects == 1 ? " object" : " objects");
    }
}
