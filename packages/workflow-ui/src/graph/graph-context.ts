import { createContext } from 'react';
import { GraphStore } from './graph-store';

/** Provides the statuses and marks of the graph to its nodes. */
export const GraphContext = createContext(new GraphStore());
