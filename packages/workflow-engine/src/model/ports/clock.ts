/** The engine gets the time of day from this clock. */
export interface Clock {
  now(): Date;
}
