import pathlib
import unittest

import file_local

FIRST = """namespace semel {
namespace {

constexpr int kLimit = 5;
using Clock = int;

struct Row {
    int kInner = 0;
};

bool read(int) {
    constexpr int kWithin = 1;
    return kWithin > 0;
}

}  // namespace
}  // namespace semel
"""


class FileLocalNames(unittest.TestCase):
    def second(self, **sources: str) -> list[str]:
        return file_local.second_names({pathlib.PurePath(name.replace("__", "/") + ".cpp"): text
                                        for name, text in sources.items()})

    def test_a_constant_a_type_and_an_alias_of_two_sources_are_found(self) -> None:
        found = self.second(src__core__a=FIRST, src__core__b=FIRST)
        self.assertEqual([line.split(": ")[1].split()[0] for line in found], ["kLimit", "Clock", "Row"])
        self.assertTrue(found[0].startswith("src/core/b.cpp:4:"), found[0])

    def test_folders_of_a_room_are_one(self) -> None:
        self.assertEqual(len(self.second(src__core__time__a=FIRST, src__core__json__b=FIRST)), 3)

    def test_rooms_are_apart(self) -> None:
        self.assertEqual(self.second(src__core__a=FIRST, src__engine__b=FIRST, src__store__sqlite__c=FIRST,
                                     src__store__d=FIRST), [])

    def test_a_test_program_is_a_room(self) -> None:
        self.assertEqual(len(self.second(tests__unit__core__json__a=FIRST, tests__unit__core__b=FIRST)), 3)
        self.assertEqual(self.second(tests__unit__core__a=FIRST, tests__unit__engine__b=FIRST, tests__http__c=FIRST), [])

    def test_functions_and_what_is_within_them_may_share_names(self) -> None:
        only_functions = FIRST.replace("kLimit", "kOther").replace("Clock", "Timer").replace("Row", "Line")
        self.assertEqual(self.second(src__core__a=FIRST, src__core__b=only_functions), [])

    def test_names_of_the_namespace_itself_do_not_count(self) -> None:
        shared = "namespace semel {\nstruct Row {\n};\n}\n"
        self.assertEqual(self.second(src__core__a=FIRST, src__core__b=shared), [])


if __name__ == "__main__":
    unittest.main()
