import { defineMessages } from '@weir/ui-kit/app';
import messages from './messages.json';

/** The texts of the buttons of a run are separate, because lists have them too and load nothing else of the page of a run. */
export const useRunButtonMessages = defineMessages(messages);
