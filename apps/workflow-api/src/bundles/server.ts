// What opens the database. It takes longest to load, so commands that find a running server do without it.
export { withOwnApplication, withOwnWorker } from '../commands/serve/own-application';
export { serve } from '../commands/serve/serve';
