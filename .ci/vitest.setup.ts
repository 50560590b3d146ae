import fc from "fast-check";
import { seed } from "../test/seed.js";

// Properties ask the same questions in every run, as all random tests do (test/seed.ts).
fc.configureGlobal({ seed });
