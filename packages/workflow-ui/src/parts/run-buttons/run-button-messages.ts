import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts of the buttons of a run, which lists have, too: they load nothing else of the page of a run. */
export const useRunButtonMessages = defineMessages(messages);
