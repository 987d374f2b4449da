#include "base/file.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temp_folder.hpp"

namespace semel {
namespace {

class FileTest : public testing::Test {
protected:
    test::TempFolder folder_;
    const std::string path_ = folder_.file("a");
};

TEST_F(FileTest, WhatIsWrittenIsRead) {
    {
        auto file = NewFile::create(path_);
        ASSERT_TRUE(file.has_value()) << file.error().message();
        EXPECT_TRUE(file->write("one, ").has_value());
        EXPECT_TRUE(file->write("two").has_value());
        EXPECT_TRUE(file->sync().has_value());
    }
    const auto file = OpenFile::open(path_);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->size(), 8U);
    EXPECT_EQ(file->read(0, 100).value(), "one, two");
    EXPECT_EQ(file->read(5, 2).value(), "tw");
    EXPECT_EQ(file->read(8, 2).value(), "");
}

TEST_F(FileTest, ANewFileIsForItsOwnerAloneAndEmpty) {
    std::ofstream(path_) << "old";
    chmod(path_.c_str(), 0644);
    ASSERT_TRUE(NewFile::create(path_).has_value());
    struct stat status {};
    ASSERT_EQ(stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_EQ(status.st_size, 0);
}

TEST_F(FileTest, ASecondWriterIsRefused) {
    const auto first = NewFile::create(path_);
    const auto second = NewFile::create(path_);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code(), ErrorCode::busy);
}

TEST_F(FileTest, ErrorsNameTheFileAndTheReason) {
    EXPECT_EQ(OpenFile::open(path_).error().message(),
              "cannot read " + path_ + ": No such file or directory");
    EXPECT_EQ(OpenFile::open(folder_.path()).error().message(),
              "cannot read " + folder_.path() + ": it is not a file");
    const auto made = NewFile::create(folder_.file("none/a"));
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code(), ErrorCode::not_found);
    EXPECT_EQ(file_error("write", path_, EROFS).code(), ErrorCode::unavailable);
    EXPECT_EQ(file_error("write", path_, EACCES).code(), ErrorCode::refused);
}

}  // namespace
}  // namespace semel
