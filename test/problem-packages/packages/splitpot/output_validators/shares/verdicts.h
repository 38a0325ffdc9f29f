#pragma once

#include <string>

[[noreturn]] void accept();
[[noreturn]] void reject(const std::string& folder, const std::string& reason);
