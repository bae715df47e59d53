package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a running node says of itself; left out whole for a node that is down. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeFigures(
        @JsonProperty("os_pid") @Nullable String processId,
        @Nullable Long uptime,
        @Nullable Integer processors,
        @JsonProperty("run_queue") @Nullable Integer runQueue,
        @JsonProperty("mem_used") @Nullable Long memoryUsed,
        @JsonProperty("mem_used_details") @Nullable Rate memoryUsedRate,
        @JsonProperty("mem_limit") @Nullable Long memoryLimit,
        @JsonProperty("mem_alarm") @Nullable Boolean isMemoryAlarm,
        @JsonProperty("disk_free") @Nullable Long diskFree,
        @JsonProperty("disk_free_details") @Nullable Rate diskFreeRate,
        @JsonProperty("disk_free_limit") @Nullable Long diskFreeLimit,
        @JsonProperty("disk_free_alarm") @Nullable Boolean isDiskAlarm,
        @JsonProperty("fd_used") @Nullable Long filesUsed,
        @JsonProperty("fd_total") @Nullable Long filesTotal,
        @JsonProperty("sockets_used") @Nullable Long socketsUsed,
        @JsonProperty("sockets_total") @Nullable Long socketsTotal,
        @JsonProperty("proc_used") @Nullable Long threadsUsed,
        @JsonProperty("proc_total") @Nullable Long threadsTotal,
        @JsonProperty("net_ticktime") @Nullable Integer netTicktime,
        @JsonProperty("rates_mode") @Nullable String ratesMode,
        @JsonProperty("mem_calculation_strategy") @Nullable String memoryStrategy,
        @JsonProperty("db_dir") @Nullable String dataFolder,
        @JsonProperty("log_files") @Nullable List<String> logFiles,
        @JsonProperty("config_files") @Nullable List<String> configFiles,
        @JsonProperty("enabled_plugins") @Nullable List<String> enabledPlugins,
        @JsonProperty("exchange_types") @Nullable List<NamedFeature> exchangeTypes,
        @JsonProperty("auth_mechanisms") @Nullable List<NamedFeature> authMechanisms) {}
