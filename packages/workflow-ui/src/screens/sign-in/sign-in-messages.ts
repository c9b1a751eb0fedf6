import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts of signing in. */
export const useSignInMessages = defineMessages(messages);
