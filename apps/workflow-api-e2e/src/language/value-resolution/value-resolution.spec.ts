import { describeFixtures } from '../../support/fixtures';

describeFixtures('value resolution', __dirname);
