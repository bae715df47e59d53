package io.leveret.node.broker.auth;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BoundedPattern;
import io.leveret.model.definition.ParameterDefinition;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.node.broker.definitions.Definitions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What users may do, from the permissions that were agreed. Any thread. A pattern is searched anywhere in the name; an empty
 * one allows nothing but the empty name. Answers are remembered per permission record, which is replaced when it changes.
 */
public final class Permissions {
    private static final String DEFAULT_EXCHANGE = "amq.default";
    private static final String CONNECTIONS = "max-connections";
    private static final String CHANNELS = "max-channels";
    /** Users times vhosts remembered at a time; beyond it everything is worked out anew. */
    private static final int RULES_MAX = 10_000;
    /** Names remembered per user and vhost; beyond it they are worked out anew. */
    private static final int ANSWERS_MAX = 1_000;

    private final Definitions definitions;
    private final Map<PermissionDefinition, Rules> rules = new ConcurrentHashMap<>();
    private final Map<TopicPermissionDefinition, TopicRules> topicRules = new ConcurrentHashMap<>();

    public Permissions(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Whether the user has a permission record for the vhost at all. */
    public boolean mayEnter(UserName user, VhostName vhost) {
        return definitions.image().permission(user, vhost) != null;
    }

    /** How many connections a user may have at a time; negative: any number. */
    public long connectionsMax(UserName user) {
        return limit(definitions.image().userLimits(user), CONNECTIONS);
    }

    /** How many channels a user may have at a time, over all connections; negative: any number. */
    public long channelsMax(UserName user) {
        return limit(definitions.image().userLimits(user), CHANNELS);
    }

    /** How many connections a vhost takes at a time; negative: any number. */
    public long connectionsMax(VhostName vhost) {
        ParameterDefinition limits = definitions.image().parameter(vhost, "vhost-limits", "limits");
        return limits != null && limits.value() instanceof Map<?, ?> map ? limit(map, CONNECTIONS) : -1;
    }

    private static long limit(Map<?, ?> limits, String name) {
        return limits.get(name) instanceof Number number ? number.longValue() : -1;
    }

    public boolean allows(UserName user, Permission permission, QueueName queue) {
        return allows(user, queue.vhost(), permission, queue.value());
    }

    /** The default exchange is checked under the name {@code amq.default}. */
    public boolean allows(UserName user, Permission permission, ExchangeName exchange) {
        String name = exchange.value().isEmpty() ? DEFAULT_EXCHANGE : exchange.value();
        return allows(user, exchange.vhost(), permission, name);
    }

    /**
     * Whether the user's topic permission, if there is one for that exchange, allows this key. Asked for topic exchanges, after
     * {@link #allows}: WRITE for publishing, READ for binding.
     */
    public boolean allowsTopic(UserName user, Permission permission, ExchangeName exchange, String routingKey) {
        TopicPermissionDefinition topic = definitions.image().topicPermission(user, exchange.vhost(), exchange.value());
        if (topic == null || permission == Permission.CONFIGURE) {
            return true;
        }
        TopicRules known = topicRules.get(topic);
        if (known == null) {
            if (topicRules.size() >= RULES_MAX) {
                topicRules.clear();
            }
            known = topicRules.computeIfAbsent(topic, TopicRules::new);
        }
        return matches(permission == Permission.WRITE ? known.write() : known.read(), routingKey);
    }

    private boolean allows(UserName user, VhostName vhost, Permission permission, String name) {
        PermissionDefinition definition = definitions.image().permission(user, vhost);
        if (definition == null) {
            return false;
        }
        Rules known = rules.get(definition);
        if (known == null) {
            if (rules.size() >= RULES_MAX) {
                rules.clear();
            }
            known = rules.computeIfAbsent(definition, Rules::new);
        }
        return known.allow(permission, name);
    }

    private static @Nullable BoundedPattern compile(String pattern) {
        try {
            return pattern.isEmpty() ? null : BoundedPattern.compile(pattern);
        } catch (IllegalArgumentException e) {
            // Validation keeps such a pattern out; if one got in, it allows nothing.
            return null;
        }
    }

    private static boolean matches(@Nullable BoundedPattern pattern, String name) {
        return pattern == null ? name.isEmpty() : pattern.isIn(name);
    }

    /** One permission record, ready to answer. */
    private static final class Rules {
        private final @Nullable BoundedPattern[] patterns;
        private final Map<Asked, Boolean> answers = new ConcurrentHashMap<>();

        Rules(PermissionDefinition definition) {
            patterns = new BoundedPattern[] {
                compile(definition.configure()), compile(definition.write()), compile(definition.read())
            };
        }

        boolean allow(Permission permission, String name) {
            if (answers.size() >= ANSWERS_MAX) {
                answers.clear();
            }
            return answers.computeIfAbsent(
                    new Asked(permission, name), asked -> matches(patterns[permission.ordinal()], name));
        }
    }

    /** One topic permission, ready to answer. Keys are of any number, so answers are not remembered. */
    private record TopicRules(
            @Nullable BoundedPattern write, @Nullable BoundedPattern read) {
        TopicRules(TopicPermissionDefinition topic) {
            this(compiled(topic, topic.write()), compiled(topic, topic.read()));
        }

        private static @Nullable BoundedPattern compiled(TopicPermissionDefinition topic, String pattern) {
            return compile(TopicPattern.expand(pattern, topic.user(), topic.vhost()));
        }
    }

    /** One question. */
    private record Asked(Permission permission, String name) {}
}
