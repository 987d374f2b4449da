#include "cli/secrets.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace semel::cli {
namespace {

std::string written(const std::string& name, const std::string& content) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

TEST(Secrets, ComeFromTheEnvironmentOrAFile) {
    ::setenv("SEMEL_SECRETS_TEST", "hush", 1);
    EXPECT_EQ(*resolve_secret("env:SEMEL_SECRETS_TEST"), "hush");
    EXPECT_EQ(*resolve_secret("file:" + written("semel_secret", "in a file\r\n\n")), "in a file");
}

TEST(Secrets, WhatIsMissingIsNamed) {
    ::unsetenv("SEMEL_SECRETS_NONE");
    EXPECT_EQ(resolve_secret("env:SEMEL_SECRETS_NONE").error().message(),
              "the environment has no variable SEMEL_SECRETS_NONE");
    EXPECT_EQ(resolve_secret("file:./no/such").error().message(),
              "cannot read ./no/such: No such file or directory");
    EXPECT_EQ(resolve_secret("hush").error().message(),
              "a secret is given as env:NAME or file:PATH");
}

TEST(Secrets, AnEmptyOneIsRefused) {
    const std::string path = written("semel_empty_secret", "\n");
    EXPECT_EQ(resolve_secret("file:" + path).error().message(),
              "the secret at file:" + path + " is empty");
}

}  // namespace
}  // namespace semel::cli
