/** The fields of a job that this action reads. */
export interface Job {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: { readonly exitCode: number; readonly reason?: string };
}

export interface Pod {
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly containerStatuses?: readonly { readonly state?: ContainerState }[];
  };
}

export interface JobEnd {
  readonly isSuccess: boolean;
  /** A word of Kubernetes, such as DeadlineExceeded. */
  readonly reason: string | undefined;
}

/** `undefined` while the job goes on. */
export function jobEnd({ status }: Job): JobEnd | undefined {
  const isTrue = (type: string) => status?.conditions?.find((each) => each.type === type && each.status === 'True');
  if (isTrue('Complete')) return { isSuccess: true, reason: undefined };
  const failed = isTrue('Failed');
  return failed && { isSuccess: false, reason: failed.reason };
}

/** Whether its container has printed, or may do so any time. */
export function hasStarted({ status }: Pod): boolean {
  const state = status?.containerStatuses?.[0]?.state;
  return ['Running', 'Succeeded', 'Failed'].includes(status?.phase ?? '') && state?.waiting === undefined;
}

/** Why a pod has not started, such as ImagePullBackOff. */
export function waitingReason({ status }: Pod): string | undefined {
  return status?.containerStatuses?.[0]?.state?.waiting?.reason;
}

/** Returns how the program of the last pod ended. */
export function lastExit(pods: readonly Pod[]): { readonly exitCode?: number; readonly reason?: string } {
  const [last] = [...pods].sort((one, other) => (createdAt(one) > createdAt(other) ? -1 : 1));
  const { terminated } = last?.status?.containerStatuses?.[0]?.state ?? {};
  const reason = terminated?.reason ?? last?.status?.reason;
  return {
    ...(terminated === undefined ? {} : { exitCode: terminated.exitCode }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function createdAt({ metadata }: Pod): string {
  return metadata.creationTimestamp ?? '';
}
