#include "checker/observe/kustomize/context.h"

#include <algorithm>
#include <utility>

#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

constexpr std::size_t kMostReported = 100;

void add(std::vector<Built::Not>& list, Built::Not one) {
  const auto same = [&](const Built::Not& other) { return other.span == one.span && other.what == one.what; };
  if (list.size() < kMostReported && std::ranges::none_of(list, same)) list.push_back(std::move(one));
}

}  // namespace

void Context::error(Span at, std::string what, std::string hint) {
  add(out_.errors, {at, std::move(what), std::move(hint)});
}

void Context::not_read(const Node& at, Built::NotRead::What what, std::string name) {
  if (out_.not_read.size() < kMostReported)
    out_.not_read.push_back({what, span_of(at), std::move(name),
                             "build it and pipe it: `kustomize build " + directory_ + " | gpol verify -`"});
}

void Context::not_built(Span at, std::string what) {
  add(out_.not_built,
      {at, std::move(what), "build it and pipe it: `kustomize build " + directory_ + " | gpol verify -`"});
}

std::optional<FileText> Context::load(const std::string& path) {
  if (exhausted_) return std::nullopt;
  if (reads_ >= kKustomizeFiles) {
    exhaust("reads more than 10,000 files");
    return std::nullopt;
  }
  auto text = files_.read(path);
  if (!text) return std::nullopt;
  ++reads_;
  texts_[text->file] = text->bytes;
  use(path);
  return text;
}

std::string_view Context::bytes_of(FileId file) const { return value_or(texts_, file, std::string_view{}); }

Node Context::as_text(Node value) const {
  if (value.kind == Node::Kind::Text) return value;
  if (const auto text = bytes_of(value.file); value.begin < value.end && value.end <= text.size())
    value.text = text.substr(value.begin, value.end - value.begin);
  value.kind = Node::Kind::Text;
  value.items.clear();
  value.entries.clear();
  return value;
}

bool Context::exhaust(const std::string& what) {
  if (!std::exchange(exhausted_, true)) not_built(Span{}, what);
  return false;
}

bool Context::spend_bytes(std::size_t bytes) {
  if (exhausted_) return false;
  bytes_ += bytes;
  return bytes_ <= kKustomizeBytes || exhaust("makes trees of more than 64 MiB");
}

bool Context::spend_steps(std::size_t steps) {
  if (exhausted_) return false;
  steps_ += steps;
  return steps_ <= kKustomizeSteps || exhaust("compares patches with objects too often");
}

bool Context::spend_patch() {
  return !exhausted_ && (++patches_ <= kKustomizePatches || exhaust("has more than 10,000 patches"));
}

bool Context::fits(std::size_t objects) {
  return !exhausted_ && (objects <= kKustomizeObjects || exhaust("has more than 100,000 objects"));
}

}  // namespace gpol::manifest::kustomize
