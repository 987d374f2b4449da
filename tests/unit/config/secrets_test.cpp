#include "config/secrets.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace semel {
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

TEST(Secrets, StandInTheUrlInPlaceOfAReference) {
    ::setenv("SEMEL_SECRETS_TEST", "hu/sh:@", 1);
    EXPECT_EQ(*resolve_password("redis://:env:SEMEL_SECRETS_TEST@host:1/2"),
              "redis://:hu%2Fsh%3A%40@host:1/2");
    const std::string path = written("semel_secret@home", "in a file\n");
    EXPECT_EQ(*resolve_password("redis://me:file:" + path + "@host"),
              "redis://me:in%20a%20file@host");
    for (const char* plain :
         {"redis://:hush@host", "redis://host", "redis://host:1", "redis://:env%3AX@host", ""}) {
        EXPECT_EQ(*resolve_password(plain), plain);
    }
    EXPECT_EQ(resolve_password("redis://:env:SEMEL_SECRETS_NONE@host").error().message(),
              "the environment has no variable SEMEL_SECRETS_NONE");
}

TEST(Secrets, AnEmptyOneIsRefused) {
    const std::string path = written("semel_empty_secret", "\n");
    EXPECT_EQ(resolve_secret("file:" + path).error().message(),
              "the secret at file:" + path + " is empty");
}

}  // namespace
}  // namespace semel
