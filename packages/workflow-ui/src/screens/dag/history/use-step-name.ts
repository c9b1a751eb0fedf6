import { useRunMessages } from '../../../parts/run/run-messages';
import { handlerFields } from '../../../parts/run/step-rows';

/** Names a step of the history; steps of handlers have the names of their fields there. */
export function useStepName(): (name: string) => string {
  const t = useRunMessages();
  return (name) => {
    const field = handlerFields.find((handler) => handler === name);
    return field === undefined ? name : t(`run.handler.${field}`);
  };
}
