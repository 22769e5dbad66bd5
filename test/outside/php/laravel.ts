/** What the suites of Laravel share. */

/** PHP code that loads classes from the clone, whose folder is the first argument. */
export const AUTOLOAD = `
    spl_autoload_register(function ($class) {
      $name = str_replace('\\\\', '/', substr($class, strlen('Illuminate\\\\')));
      $root = $_SERVER['argv'][1] . '/src/Illuminate/';
      $base = basename($name);
      foreach ([$name, "Collections/$base", "Macroable/$base", "Macroable/Traits/$base", "Conditionable/$base",
        "Conditionable/Traits/$base", "Reflection/$base", "Reflection/Traits/$base", str_replace('Support/', 'Collections/', $name),
        str_replace('Support/', 'Macroable/', $name), str_replace('Support/', 'Conditionable/', $name)] as $path) {
        if (is_file("$root$path.php")) { require_once "$root$path.php"; if (class_exists($class, false) || interface_exists($class, false) || trait_exists($class, false)) return; }
      }
    });
    require_once $_SERVER['argv'][1] . '/src/Illuminate/Collections/functions.php';
    require_once $_SERVER['argv'][1] . '/src/Illuminate/Collections/helpers.php';`;
