import { defineMessages } from '../../app/text/define-messages';
import messages from './messages.json';

/** The texts of the page of a run. */
export const useRunMessages = defineMessages(messages);
