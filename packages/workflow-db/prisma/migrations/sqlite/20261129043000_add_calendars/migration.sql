-- CreateTable
CREATE TABLE "Calendar" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "definition" TEXT NOT NULL,
    "revision" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "updatedBy" TEXT NOT NULL
);
