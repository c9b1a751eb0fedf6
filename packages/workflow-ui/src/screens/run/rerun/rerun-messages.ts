import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts of the dialog for running again, which is loaded when it is opened. */
export const useRerunMessages = defineMessages(messages);
