package io.leveret.admin.definitions;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.JsonBody;
import io.leveret.model.view.DefinitionsView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** /api/definitions: all that is declared, as one file. */
@Api
class DefinitionsApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    DefinitionsApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/definitions")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> export(@RequestParam(required = false) @Nullable String download) {
        return file(queries.get(ControlPath.of("definitions"), DefinitionsView.class), download);
    }

    @GetMapping("/definitions/{vhost}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> export(
            @PathVariable String vhost, @RequestParam(required = false) @Nullable String download) {
        return file(queries.get(ControlPath.of("definitions", vhost), DefinitionsView.class), download);
    }

    @PostMapping("/definitions")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> load(@RequestBody(required = false) byte @Nullable [] body) {
        return loaded("", ControlPath.of("definitions"), body);
    }

    @PostMapping("/definitions/{vhost}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> load(@PathVariable String vhost, @RequestBody(required = false) byte @Nullable [] body) {
        return loaded(vhost, ControlPath.of("definitions", vhost), body);
    }

    private ResponseEntity<Object> loaded(String vhost, ControlPath path, byte @Nullable [] body) {
        JsonBody definitions = JsonBody.of(body, "failed_to_parse_json");
        Mutation.Subject subject = new Mutation.Subject("definitions", vhost, "all", path);
        return Answers.of(commands.apply(Mutation.act("import", subject, "POST", path, definitions.fields())));
    }

    private static ResponseEntity<Object> file(DefinitionsView definitions, @Nullable String download) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (download != null) {
            String name = download.replaceAll("[^A-Za-z0-9._-]", "_");
            answer.header("Content-Disposition", "attachment; filename=" + name);
        }
        return answer.body(definitions);
    }
}
