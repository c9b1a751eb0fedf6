import { appMessages, defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts that several screens share. */
export const useAppMessages = defineMessages({ ...appMessages, ...messages });
