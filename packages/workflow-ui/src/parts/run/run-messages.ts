import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts of the page of a run. */
export const useRunMessages = defineMessages(messages);
