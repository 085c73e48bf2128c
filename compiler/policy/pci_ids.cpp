// Written by policies/hardware/generate.py --pci: which device is of which model, as mig-parted's
// `device-filter` names devices.
#include <algorithm>
#include <array>

#include "compiler/policy/catalogue.h"

namespace gpol {

namespace {

struct Row {
  std::string_view id, model;
};
constexpr std::array<Row, 27> kRows = {{
    {"0X20B010DE", "A100-40GB"},         {"0X20B110DE", "A100-40GB"},  {"0X20B210DE", "A100-80GB"},
    {"0X20B510DE", "A100-80GB"},         {"0X20B610DE", "H100-96GB"},  {"0X20B710DE", "A30-24GB"},
    {"0X20F110DE", "A100-40GB"},         {"0X20F310DE", "A100-80GB"},  {"0X20F510DE", "A100-80GB"},
    {"0X20F610DE", "A100-40GB"},         {"0X232110DE", "H100-94GB"},  {"0X232210DE", "H100-80GB"},
    {"0X232410DE", "H100-80GB"},         {"0X232910DE", "H100-96GB"},  {"0X233010DE", "H100-80GB"},
    {"0X233110DE", "H100-80GB"},         {"0X233510DE", "H200-141GB"}, {"0X233A10DE", "H100-94GB"},
    {"0X233B10DE", "H200-141GB"},        {"0X233D10DE", "H100-96GB"},  {"0X234210DE", "H100-96GB"},
    {"0X234810DE", "GH200-144GB"},       {"0X290110DE", "B200-180GB"}, {"0X294110DE", "GB200-186GB"},
    {"0X2BB510DE", "RTX-PRO-6000-96GB"}, {"0X318210DE", "B300-269GB"}, {"0X31C210DE", "GB300-278GB"},
}};

}  // namespace

std::string_view model_of_pci_id(std::string_view id) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  const auto same = [&](const Row& row) {
    return std::equal(row.id.begin(), row.id.end(), id.begin(), id.end(),
                      [&](char a, char b) { return a == upper(b); });
  };
  const auto found = std::ranges::find_if(kRows, same);
  return found == kRows.end() ? std::string_view() : found->model;
}

}  // namespace gpol
