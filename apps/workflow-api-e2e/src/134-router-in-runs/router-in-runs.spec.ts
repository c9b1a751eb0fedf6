import { describeFixtures } from '../support/fixtures';

describeFixtures('routers that run', __dirname);
