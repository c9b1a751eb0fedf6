import type { Logger } from '@weir/service-kit';
import type { RandomSource } from '../../adapters/random-source';
import type { AliveTarget, EventMailServer } from '../../config/event-target-config';
import type { Sealer } from '../../encryption';
import type { QueueReads } from '../queue/store';
import type { DagRunRepository } from '../runs';
import type { SchedulerStateRepository } from '../scheduler';
import type { Bind } from '../../access/bind';
import { createMailSender, type SendMail } from '@weir/workflow-engine';
import type { Clock, Timer } from '@weir/workflow-engine/model';
import { createDispatcher, type Dispatcher } from './dispatcher';
import { bindNotificationRoutes } from './notification-routes';
import { createAliveCalls, type AliveCalls } from './alive-calls';
import { createNotificationService } from './notification-service';
import type { OutboxSignal } from './outbox/outbox-signal';
import type { NotificationRepository } from './subscription';
import { createTellSkipped, type TellSkipped } from './tell-skipped';

/** Sends events to their subscriptions. */
export interface Notifications extends Dispatcher {
  readonly tellSkipped: TellSkipped;
  /** The alive calls of a process with the scheduler. */
  readonly aliveCalls: AliveCalls;
  bindRoutes(bind: Bind): void;
}

export interface NotificationPorts {
  readonly runs: DagRunRepository;
  readonly queue: QueueReads;
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly schedulerState: SchedulerStateRepository;
  readonly checkDatabase: () => Promise<boolean>;
  readonly sealer: Sealer;
  readonly publicUrl: string | undefined;
  /** Networks that events may be sent to although they are not public. */
  readonly eventNetworks: readonly string[];
  readonly mailServer: EventMailServer | undefined;
  /** The monitor that is called at an interval while the scheduler works. */
  readonly alive: AliveTarget | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** Milliseconds; a delivery is claimed for a minute. */
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
