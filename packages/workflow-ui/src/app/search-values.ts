export { readChoice, readPage, readText } from '@weir/ui-app';
