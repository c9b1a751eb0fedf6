import { useEffect, useState } from 'react';
import { startOfHour } from './day-hours';

const checkMs = 30_000;

/** When the present hour began; another one when the next begins. */
export function useHour(): number {
  const [hour, setHour] = useState(() => startOfHour(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setHour(startOfHour(Date.now())), checkMs);
    return () => clearInterval(timer);
  }, []);
  return hour;
}
