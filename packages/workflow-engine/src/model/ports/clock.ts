/** Where the engine gets the time of day from. */
export interface Clock {
  now(): Date;
}
