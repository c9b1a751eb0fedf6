import { AppError } from '@weir/foundation';

const processLength = 8;

/**
 * Converts between ids of events and ids of states. An id names the process that has numbered the states: to another
 * process, such as another replica or this server after a restart, the number says nothing about the state of a
 * client.
 */
export function createEventIds(processId: string) {
  const prefix = processId.slice(0, processLength);
  return {
    format: (id: number): string => `${prefix}.${id}`,
    /** Returns the id of a state of this process, otherwise 0. Throws `invalid_last_event_id`. */
    parse: (text: string): number => {
      if (text === '') return 0;
      const [, process, id] = /^(?:(\w{1,8})\.)?(\d{1,15})$/.exec(text) ?? [];
      if (id !== undefined) return process === prefix ? Number(id) : 0;
      throw new AppError('invalid_request', 'The last event id is not one of this stream.', {
        reason: 'invalid_last_event_id',
      });
    },
  };
}
