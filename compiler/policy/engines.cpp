#include "compiler/policy/engines.h"

namespace gpol {

namespace {

// vLLM: config/scheduler.py and config/cache.py; the command line's names without `--`.
constexpr EngineKnob kVllm[] = {{"max-num-seqs", KnobKind::Count},
                                {"max-num-batched-tokens", KnobKind::Count},
                                {"enable-chunked-prefill", KnobKind::Switch},
                                {"gpu-memory-utilization", KnobKind::Percent},
                                {"kv-cache-memory-bytes", KnobKind::Memory},
                                {"max-model-len", KnobKind::Count},
                                {"scheduling-policy", KnobKind::Word, "fcfs priority"},
                                {"max-num-queued-reqs", KnobKind::Count},
                                {"max-num-queued-tokens", KnobKind::Count},
                                {"tensor-parallel-size", KnobKind::Count},
                                {"pipeline-parallel-size", KnobKind::Count}};
// SGLang: server arguments.
constexpr EngineKnob kSglang[] = {{"context-length", KnobKind::Count},       {"mem-fraction-static", KnobKind::Percent},
                                  {"max-running-requests", KnobKind::Count}, {"chunked-prefill-size", KnobKind::Count},
                                  {"max-prefill-tokens", KnobKind::Count},   {"tp-size", KnobKind::Count}};
// TGI: launcher arguments.
constexpr EngineKnob kTgi[] = {
    {"max-concurrent-requests", KnobKind::Count}, {"max-batch-prefill-tokens", KnobKind::Count},
    {"max-batch-total-tokens", KnobKind::Count},  {"max-input-tokens", KnobKind::Count},
    {"max-total-tokens", KnobKind::Count},        {"waiting-served-ratio", KnobKind::Number},
    {"max-waiting-tokens", KnobKind::Count},      {"cuda-memory-fraction", KnobKind::Percent}};
// Triton: dynamic_batching of model_config.proto; its times are microseconds there, and times here.
constexpr EngineKnob kTriton[] = {{"max_queue_delay_microseconds", KnobKind::Time},
                                  {"preferred_batch_size", KnobKind::Count},
                                  {"priority_levels", KnobKind::Count},
                                  {"default_priority_level", KnobKind::Count},
                                  {"timeout_action", KnobKind::Word, "REJECT DELAY"},
                                  {"default_timeout_microseconds", KnobKind::Time},
                                  {"allow_timeout_override", KnobKind::Switch},
                                  {"max_queue_size", KnobKind::Count}};

constexpr Engine kEngines[] = {{"vllm", kVllm}, {"sglang", kSglang}, {"tgi", kTgi}, {"triton", kTriton}};

}  // namespace

std::span<const Engine> engines() { return kEngines; }

}  // namespace gpol
