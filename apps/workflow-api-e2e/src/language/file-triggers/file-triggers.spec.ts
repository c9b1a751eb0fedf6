import { describeFixtures } from '../../support/fixtures';

describeFixtures('file triggers', __dirname);
