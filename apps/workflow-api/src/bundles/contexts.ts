// The commands about servers on other machines.
export { addContext, listContexts, removeContext, switchContext } from '../commands/contexts/change-contexts';
export { logIn } from '../commands/contexts/log-in';
export { createServerSpecReader } from '../commands/language/server-spec-reader';
