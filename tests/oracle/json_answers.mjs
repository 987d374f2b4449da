// What npm's canonicalize and fast-json-patch make of lines on stdin:
//
//     canonical TAB text                     the RFC 8785 form, or `none` where there is none
//     apply TAB first TAB patch TAB second   `same` if the patch leads from the first to the second; else what it leads to
//     suite                                  the documents of json-patch-test-suite whose patches are valid, as JSON
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = join(process.argv[2], "node_modules");
const require = createRequire(join(modules, "x"));

const main = JSON.parse(readFileSync(join(modules, "canonicalize", "package.json"), "utf8")).main;
const { default: canonicalize } = await import(pathToFileURL(join(modules, "canonicalize", main)).href);
const { applyPatch } = require("fast-json-patch");

const canonical = (text) => {
    try {
        return canonicalize(JSON.parse(text));
    } catch {
        return "none"; // a number without a double
    }
};

const apply = (first, patch, second) => {
    try {
        const { newDocument } = applyPatch(JSON.parse(first), JSON.parse(patch), true, true, false);
        const reached = canonicalize(newDocument);
        return reached === canonicalize(JSON.parse(second)) ? "same" : reached;
    } catch (error) {
        return `refused: ${String(error.message).split("\n", 1)[0]}`;
    }
};

// Those that say where they lead, or that nothing changes.
const suite = () => {
    const cases = ["tests.json", "spec_tests.json"].flatMap((file) =>
        JSON.parse(readFileSync(join(modules, "json-patch-test-suite", file), "utf8")));
    const valid = cases.filter((one) => !one.disabled && !("error" in one) && "doc" in one && "expected" in one);
    return JSON.stringify(valid.map(({ doc, patch, expected }) => ({ doc, patch, expected })));
};

const answer = ([question, ...fields]) => {
    if (question === "canonical") return canonical(fields[0]);
    if (question === "apply") return apply(...fields);
    return suite();
};

const lines = readFileSync(0, "utf8").split("\n").slice(0, -1);
process.stdout.write(lines.map((line) => `${answer(line.split("\t"))}\n`).join(""));
