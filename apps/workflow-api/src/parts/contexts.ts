// The commands about servers on other machines.
export { addContext, listContexts, removeContext } from '../commands/contexts/change-contexts';
export { logIn } from '../commands/contexts/log-in';
