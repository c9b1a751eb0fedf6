import { defineMessages } from '@weir/ui-kit/app';
import tableMessages from '../../parts/run-table/messages.json';
import messages from './messages.json';

export const useRunListMessages = defineMessages({ ...tableMessages, ...messages });
