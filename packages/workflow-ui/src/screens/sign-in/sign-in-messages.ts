import { defineMessages } from '../../app/text/define-messages';
import messages from './messages.json';

/** The texts of signing in. */
export const useSignInMessages = defineMessages(messages);
