import { createGroups } from './process-groups';
import { serveSpawns } from './serve-spawns';

// The program of the spawner, which the build bundles into a file.
serveSpawns(createGroups());
