// A separate bundle, which post loads only for what few jobs leave: all but the credentials file.
export { undoSaved } from './post/undo-saved';
