/** Patterns, suggestions and YAML values, as the language reads them. */

export { decodeYaml } from '../shapes/decode-yaml';
export { compilePattern, literalPattern } from '../source/text/compile-pattern';
export { compileObjectGlob, isObjectGlob, type ObjectGlob } from '../source/text/object-glob';
export { matchesExpected, matchesLine, matchesOutput } from '../source/text/match-text';
export { createSuggest, didYouMean } from '../source/text/suggest';
