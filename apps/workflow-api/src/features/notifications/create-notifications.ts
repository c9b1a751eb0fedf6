import type { Bind } from '../../bind';
import { createMailSender, type SendMail } from '@weir/workflow-engine';
import { createDispatcher, type Dispatcher, type DispatcherPorts } from './dispatcher';
import { bindNotificationRoutes } from './notification-routes';
import { createAliveCalls, type AliveCalls, type AlivePorts } from './alive-calls';
import { createNotificationService, type NotificationServicePorts } from './notification-service';
import { createTellSkipped, type TellSkipped } from './tell-skipped';

/** What happens, sent to those who have subscribed. */
export interface Notifications extends Dispatcher {
  readonly tellSkipped: TellSkipped;
  /** Of a process with the scheduler. */
  readonly aliveCalls: AliveCalls;
  bindRoutes(bind: Bind): void;
}

export interface NotificationPorts
  extends Omit<DispatcherPorts, 'sendMail' | 'random'>, Omit<NotificationServicePorts, 'hasMailServer'>, AlivePorts {}

/** In milliseconds; a delivery is taken for a minute. */
const mailTimes = { connectMs: 10_000, silenceMs: 15_000, totalMs: 30_000 };

export function createNotifications(ports: NotificationPorts): Notifications {
  const service = createNotificationService({ ...ports, hasMailServer: ports.mailServer !== undefined });
  const sendMail: SendMail = createMailSender(mailTimes);
  return {
    ...createDispatcher({ ...ports, sendMail }),
    tellSkipped: createTellSkipped(ports),
    aliveCalls: createAliveCalls(ports),
    bindRoutes: (bind) => bindNotificationRoutes(bind, service),
  };
}
