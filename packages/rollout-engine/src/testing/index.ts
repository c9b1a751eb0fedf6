export { tinyTokenizer } from './tiny-tokenizer';
