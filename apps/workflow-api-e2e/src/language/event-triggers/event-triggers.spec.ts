import { describeFixtures } from '../../support/fixtures';

describeFixtures('event triggers', __dirname);
