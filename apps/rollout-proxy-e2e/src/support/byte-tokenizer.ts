export { byteTokenizerFolder, encode, endId, toByteIds, toText, vocabularySize } from '@weir/fake-engine';
