// These modules open the database. They take longest to load, so commands that find a running server do without them.
export { withOwnApplication, withOwnWorker } from '../commands/serve/own-application';
export { serve } from '../commands/serve/serve';
