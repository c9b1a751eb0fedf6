import type { ActionServices } from '../../actions/call/action-executor';
import type { RunPorts } from './run-ports';

export function toActionServices(ports: RunPorts): ActionServices {
  const { clock, commands, locks, outputEvaluator, runJs, sendMail, fileProgram, state } = ports;
  return {
    clock,
    commands,
    locks,
    evaluate: (request, signal) => outputEvaluator.evaluate(request, signal),
    runJs,
    sendMail,
    fileProgram,
    state,
  };
}
