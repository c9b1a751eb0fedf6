// Command lines are completed by this bundle, which is loaded only when a shell asks for it.
export { completeWords, completionScript } from '../commands/completion/complete-words';
