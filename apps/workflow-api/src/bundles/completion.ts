// Completion of command lines, loaded only when a shell asks for it.
export { completeWords, completionScript } from '../commands/completion/complete-words';
