/** The actions of steps with their settings. */

export {
  actionNames,
  findAction,
  isExecutable,
  type CompositeActionName,
  type ExecutableAction,
  type ExecutableActionName,
  type SettingsFor,
} from '../keys/actions/action-catalogue';
export { checkMailAccount, checkSettings, type MailAccount } from '../keys/actions/check-settings';
export { listChatProblems } from '../keys/actions/settings/chat-abilities';
export { findHarness } from '../keys/actions/settings/harness-settings';
export { compileInputSchema } from '../steps/custom-actions/input-schema';
